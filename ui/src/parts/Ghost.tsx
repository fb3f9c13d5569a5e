/** The ghost's face: the same small figure everywhere, with the mood of the moment. */
import type { MoodName } from "../lib/mood";

const MOUTHS: Record<MoodName, string> = {
  calm: "M28 38c2.5 1.6 5.5 1.6 8 0",
  happy: "M26 37c3.5 4.2 8.5 4.2 12 0",
  excited: "M26.5 36.500c0 7.5 11 7.5 11 0Z",
  sad: "M28 41c2.5-3 5.5-3 8 0",
  tense: "M27 39.500c1.7-1.8 3.3 1.8 5 0s3.3 1.8 5 0",
};

export function Ghost({ mood = "calm", blinking = false }: { mood?: MoodName; blinking?: boolean }) {
  const closed = mood === "happy";
  return (
    <svg className={`ghost ${mood}${blinking ? " blinking" : ""}`} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path
        className="body"
        d="M32 5c12.7 0 22.5 9.8 22.5 22.600V52c0 3.4-3.8 5-6.2 2.800l-2.7-2.400c-1.4-1.2-3.4-1.2-4.7.1l-4.3 4.200c-2.6 2.5-6.6 2.5-9.2 0l-4.3-4.200c-1.3-1.3-3.3-1.3-4.7-.1l-2.7 2.400C13.3 57 9.5 55.4 9.5 52V27.600C9.5 14.8 19.3 5 32 5Z"
      />
      {closed ? (
        <path className="face" d="M20.5 28.500c1.6-3 5.4-3 7 0M36.5 28.500c1.6-3 5.4-3 7 0" />
      ) : (
        <>
          <ellipse className="eye" cx="24" cy="27.5" rx="2.7" ry="3.7" />
          <ellipse className="eye" cx="40" cy="27.5" rx="2.7" ry="3.7" />
        </>
      )}
      <ellipse className="cheek" cx="18.5" cy="34.5" rx="3.2" ry="2" />
      <ellipse className="cheek" cx="45.5" cy="34.5" rx="3.2" ry="2" />
      <path className="face" d={MOUTHS[mood]} />
    </svg>
  );
}
