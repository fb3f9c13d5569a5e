/** Line icons, drawn for this page. */
import type { ReactNode } from "react";

const SHAPES = {
  chat: <path d="M5 5.500h14a2 2 0 0 1 2 2v7.500a2 2 0 0 1-2 2h-7l-4.5 3.500V17H5a2 2 0 0 1-2-2V7.500a2 2 0 0 1 2-2Z" />,
  memory: (
    <>
      <path d="M6 3.500h10.500a2 2 0 0 1 2 2v15l-6.2-3.600L6 20.500Z" />
      <path d="M9.5 8h5.500M9.5 11.500h5.5" />
    </>
  ),
  why: (
    <>
      <circle cx="10.5" cy="10.5" r="6.5" />
      <path d="m15.5 15.5 5 5M8.7 9a1.9 1.9 0 1 1 2.7 1.700c-.6.3-.9.6-.9 1.200M10.5 13.700v.1" />
    </>
  ),
  heart: <path d="M12 20s-7.5-4.6-7.5-10A4.2 4.2 0 0 1 12 7.4 4.2 4.2 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10Z" />,
  timeline: (
    <>
      <path d="M6 3v18" />
      <circle cx="6" cy="7" r="2" />
      <circle cx="6" cy="16" r="2" />
      <path d="M11 7h9M11 16h6" />
    </>
  ),
  likes: <path d="m12 4 2.4 5 5.6.7-4.1 3.8 1.1 5.500L12 16.3 7 19l1.1-5.500L4 9.7 9.6 9Z" />,
  graph: (
    <>
      <circle cx="6" cy="7" r="2.5" />
      <circle cx="18" cy="6" r="2.5" />
      <circle cx="13" cy="18" r="2.5" />
      <path d="m8.5 6.8 7-.6M7.2 9.200l4.6 6.600M17.2 8.400l-3.2 7.2" />
    </>
  ),
  reminders: <path d="M6 17V11a6 6 0 0 1 12 0v6l1.5 1.500h-15ZM10 20.500a2.2 2.2 0 0 0 4 0" />,
  connections: <path d="M9 7V3.500M15 7V3.500M6.500 7h11v4.500a5.500 5.500 0 0 1-11 0ZM12 17v4" />,
  settings: <path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 4.800v4.400M9 14.800v4.400M4 12h16" />,
  logs: <path d="M4 5h16v14H4ZM7.5 9.500l2.5 2.5-2.5 2.500M12.5 14.500h4" />,
  more: <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="2.8" />,
  send: <path d="M5 12.5 20 5l-4.5 15-3.8-6.300ZM11.7 13.7 20 5" />,
  stop: <rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor" />,
  image: <path d="M4 5h16v14H4ZM4 16l4.5-4.5 4 4 3-3L20 17M15.5 9h.01" />,
  hush: <path d="M3 12s3.2-5.5 9-5.500S21 12 21 12M5 13.500l-1.5 2M9.5 15l-.7 2.500M14.5 15l.7 2.500M19 13.500l1.5 2" />,
  again: <path d="M19.5 9A8 8 0 1 0 20 13.500M20 4.500V9h-4.5" />,
  forget: <path d="m5 15 8-9 6 5.5-6.5 7.500H9ZM9 19h11" />,
  search: <path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.500l5 5" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  pin: <path d="M9 4h6l-.8 6 2.8 3H7l2.8-3ZM12 13v7" />,
  undo: <path d="M8.5 5 4 9.5 8.5 14M4.5 9.500H14a5.5 5.5 0 0 1 0 11h-3" />,
  check: <path d="m5 12.5 4.5 4.500L19 7" />,
  plus: <path d="M12 5v14M5 12h14" />,
  open: <path d="M9 6h9v9M18 6 6 18" />,
  down: <path d="M12 5v14M6 13l6 6 6-6" />,
  back: <path d="M14 6l-6 6 6 6" />,
  copy: <path d="M9 9h10v11H9ZM5 15V4h10" />,
  edit: <path d="M5 19h3.500L19 8.500 15.500 5 5 15.500ZM13.500 7l3.500 3.500" />,
  mic: <path d="M12 4a2.500 2.500 0 0 1 2.500 2.500v5a2.500 2.500 0 0 1-5 0v-5A2.500 2.500 0 0 1 12 4ZM6.500 11.500a5.500 5.500 0 0 0 11 0M12 17v3.500M9 20.500h6" />,
  sound: <path d="M4 9.500h3.500L12 6v12l-4.500-3.500H4ZM15.500 9a4 4 0 0 1 0 6M18 6.500a7.500 7.500 0 0 1 0 11" />,
  about: (
    <>
      <circle cx="12" cy="8" r="3.5" />
      <path d="M5 20c.6-4 3.400-6 7-6s6.400 2 7 6" />
    </>
  ),
  care: <path d="M12 3v8M8 11h8l1.5 9.500h-11ZM10 15v5.500M14 15v5.5" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.500V12l3 2" />
    </>
  ),
  merge: <path d="M6 4c0 7 6 6 6 12v4M18 4c0 7-6 6-6 12M9.500 17.500 12 20l2.500-2.500" />,
  print: <path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7Z" />,
  good: <path d="M4 11h3.500v8.500H4ZM7.5 12l3.5-8c1.7 0 2.5 1.3 2.2 2.800L12.7 10H19a1.5 1.5 0 0 1 1.5 1.800l-1.2 6a2 2 0 0 1-2 1.700H7.5" />,
  bad: <path d="M4 13h3.500V4.500H4ZM7.5 12l3.5 8c1.7 0 2.5-1.3 2.2-2.800l-.5-3.200H19a1.5 1.5 0 0 0 1.5-1.800l-1.2-6a2 2 0 0 0-2-1.700H7.5" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[name]}
    </svg>
  );
}
