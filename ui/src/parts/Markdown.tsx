/** Markdown as elements, never as HTML: whatever looks like a tag stays text, pictures become links. */
import { lexer, type Token, type Tokens } from "marked";
import { type ReactNode, useMemo } from "react";
import { useSpeech } from "../i18n";
import { useFeedback } from "./feedback";
import { Icon } from "./icons";

const SAFE = /^(https?:|mailto:)/i;

export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text]);
  return <div className="md">{tokens.map(block)}</div>;
}

function inside(tokens: Token[] | undefined, raw: string): ReactNode {
  return tokens?.length ? tokens.map(inline) : plain(raw);
}

/** The lexer escapes nothing we show, but it decodes nothing either: what was typed is what is read. */
function plain(text: string): string {
  return text;
}

type Draw = (token: never, key: number) => ReactNode;

const BLOCKS: Record<string, Draw> = {
  space: () => null,
  def: () => null,
  hr: (_token: Tokens.Hr, key) => <hr key={key} />,
  heading: (token: Tokens.Heading, key) => (
    <p className="md-head" key={key}>
      {inside(token.tokens, token.text)}
    </p>
  ),
  paragraph: (token: Tokens.Paragraph, key) => <p key={key}>{inside(token.tokens, token.text)}</p>,
  blockquote: (token: Tokens.Blockquote, key) => <blockquote key={key}>{token.tokens.map(block)}</blockquote>,
  code: (token: Tokens.Code, key) => <Code key={key} text={token.text} lang={token.lang ?? ""} />,
  list: (token: Tokens.List, key) => <List key={key} list={token} />,
  table: (token: Tokens.Table, key) => <Table key={key} table={token} />,
  text: (token: Tokens.Text, key) => <span key={key}>{inside(token.tokens, token.text)}</span>,
};

function block(token: Token, key: number): ReactNode {
  const draw = BLOCKS[token.type];
  return draw ? draw(token as never, key) : <p key={key}>{plain(token.raw)}</p>;
}

const INLINES: Record<string, Draw> = {
  strong: (token: Tokens.Strong, key) => <strong key={key}>{inside(token.tokens, token.text)}</strong>,
  em: (token: Tokens.Em, key) => <em key={key}>{inside(token.tokens, token.text)}</em>,
  del: (token: Tokens.Del, key) => <s key={key}>{inside(token.tokens, token.text)}</s>,
  codespan: (token: Tokens.Codespan, key) => <code key={key}>{token.text}</code>,
  br: (_token: Tokens.Br, key) => <br key={key} />,
  link: (token: Tokens.Link, key) => <Out key={key} href={token.href}>{inside(token.tokens, token.text)}</Out>,
  image: (token: Tokens.Image, key) => <Out key={key} href={token.href}>{token.text || token.href}</Out>,
  text: (token: Tokens.Text, key) => <span key={key}>{inside(token.tokens, token.text)}</span>,
  escape: (token: Tokens.Escape, key) => <span key={key}>{token.text}</span>,
};

function inline(token: Token, key: number): ReactNode {
  const draw = INLINES[token.type];
  return draw ? draw(token as never, key) : <span key={key}>{plain(token.raw)}</span>;
}

/** Leads out of the page; anything but a plain address stays words. */
function Out({ href, children }: { href: string; children: ReactNode }) {
  if (!SAFE.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, at) => (
    // items of one text never reorder
    <li key={at}>
      {item.task && <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label={item.text} />}
      {item.tokens.filter((token) => token.type !== "checkbox").map(block)}
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { table: Tokens.Table }) {
  return (
    <div className="scroller" tabIndex={0} role="group">
      <table className="plain">
        <thead>
          <tr>
            {table.header.map((cell, at) => (
              <th key={at}>{inside(cell.tokens, cell.text)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{inside(cell.tokens, cell.text)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Code({ text, lang }: { text: string; lang: string }) {
  return (
    <div className="codebox">
      <div className="row">
        <span className="dim grow">{lang}</span>
        <CopyButton text={text} />
      </div>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

export function CopyButton({ text }: { text: string }) {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const copy = () => navigator.clipboard.writeText(text).then(() => say(t("done.copied")), fail);
  return (
    <button type="button" className="btn quiet small icon" aria-label={t("act.copy")} title={t("act.copy")} onClick={copy}>
      <Icon name="copy" />
    </button>
  );
}
