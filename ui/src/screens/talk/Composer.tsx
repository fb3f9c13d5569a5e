/** Where words and pictures go in: paste, drop or pick; Enter sends unless an input method is composing. */
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { useSpeech } from "../../i18n";
import { useDraft } from "../../lib/draft";
import { type Picture, readPicture, refusal } from "../../lib/images";
import { go, link } from "../../lib/router";
import { useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import { useTalk } from "../../state/talk";
import { type Command, commandOf } from "./commands";
import { useDrop } from "./drop";
import { useListening } from "./voice";

/** The words waiting in the box; they outlive a visit to another screen. */
export function useComposerText() {
  return useDraft("composer", "");
}

interface ComposerProps {
  text: string;
  setText: (next: string | ((before: string) => string)) => void;
  onSearch: (q: string) => void;
  onSent: () => void;
}

function usePictures() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const [pictures, setPictures] = useDraft<Picture[]>("composer-pictures", []);
  const take = async (files: Iterable<File>) => {
    const kept = [...pictures];
    for (const file of files) {
      const why = refusal(file, kept);
      if (why) say(t(why, { name: file.name }));
      else await readPicture(file).then((picture) => kept.push(picture), fail);
    }
    setPictures(kept);
  };
  return { pictures, setPictures, take };
}

/** Sends, or does what a slash command asks; what cannot be sent stays in the box. */
function useSend({ text, setText, onSearch, onSent }: ComposerProps, pictures: Picture[], clear: () => void) {
  const { t } = useSpeech();
  const { say } = useFeedback();
  const { talk, busy } = useTalk();
  const obey = ({ name, rest }: Command) => {
    if (name === "unknown") return say(t("talk.command", { command: rest }));
    setText("");
    if (name === "help") say(t("talk.command.help"));
    else if (name === "search") onSearch(rest);
    else {
      go(link("chat"));
      onSent();
    }
  };
  return (event?: FormEvent) => {
    event?.preventDefault();
    const words = text.trim();
    if (busy || (!words && pictures.length === 0)) return;
    const command = commandOf(words);
    if (command) return obey(command);
    setText("");
    clear();
    if (location.hash.includes("turn=")) go(link("chat"));
    void talk(words, pictures);
    onSent();
  };
}

export function Composer(props: ComposerProps) {
  const { text, setText } = props;
  const { t } = useSpeech();
  const { busy, incognito } = useTalk();
  const { pictures, setPictures, take } = usePictures();
  const area = useRef<HTMLTextAreaElement>(null);
  const dropping = useDrop(take);
  const onSend = useSend(props, pictures, () => setPictures([]));
  useEffect(() => {
    if (matchMedia("(min-width: 761px)").matches) area.current?.focus({ preventScroll: true });
  }, []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    onSend();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void take([...event.clipboardData.files]);
  };
  return (
    <div className="composer">
      {dropping && <div className="dropzone">{t("talk.drop")}</div>}
      <form className={incognito ? "hush" : undefined} onSubmit={onSend}>
        {incognito && <p className="hushline">{t("talk.incognito.on")}</p>}
        {pictures.length > 0 && <Waiting pictures={pictures} onRemove={(p) => setPictures((all) => all.filter((x) => x !== p))} />}
        <div className="line">
          <Tools onFiles={take} onHeard={(words) => setText((before) => (before ? `${before} ${words}` : words))} />
          <textarea
            ref={area}
            rows={1}
            value={text}
            aria-label={t("talk.input")}
            aria-description={t("talk.hint")}
            placeholder={t("talk.input")}
            onChange={(e) => setText(e.target.value)}
            onKeyDown={onKey}
            onPaste={onPaste}
          />
          {busy ? <StopButton area={area} /> : <SendButton disabled={!text.trim() && pictures.length === 0} />}
        </div>
      </form>
    </div>
  );
}

function SendButton({ disabled }: { disabled: boolean }) {
  const { t } = useSpeech();
  return (
    <button type="submit" className="btn main icon" aria-label={t("talk.send")} title={t("talk.send")} disabled={disabled}>
      <Icon name="send" />
    </button>
  );
}

function StopButton({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  const { t } = useSpeech();
  const { stop } = useTalk();
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      void stop();
      area.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [area, stop]);
  return (
    <button type="button" className="btn icon" aria-label={t("talk.stop")} title={t("talk.stop")} onClick={() => void stop()}>
      <Icon name="stop" />
    </button>
  );
}

function Waiting({ pictures, onRemove }: { pictures: Picture[]; onRemove: (picture: Picture) => void }) {
  const { t } = useSpeech();
  return (
    <div className="pictures">
      {pictures.map((p) => (
        <div className="picture" key={p.url}>
          <img src={p.url} alt={p.name} />
          <button type="button" aria-label={t("talk.remove_image", { name: p.name })} onClick={() => onRemove(p)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}

function Tools({ onFiles, onHeard }: { onFiles: (files: File[]) => unknown; onHeard: (words: string) => void }) {
  const { t } = useSpeech();
  const { incognito, setIncognito } = useTalk();
  const picker = useRef<HTMLInputElement>(null);
  const voice = useListening(onHeard);
  return (
    <>
      <button type="button" className="btn quiet icon" aria-label={t("talk.attach")} title={t("talk.attach")} onClick={() => picker.current?.click()}>
        <Icon name="image" />
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/webp"
        aria-label={t("talk.attach")}
        onChange={(e) => {
          if (e.target.files) void onFiles([...e.target.files]);
          e.target.value = "";
        }}
      />
      <button
        type="button"
        className="btn quiet icon"
        aria-pressed={incognito}
        aria-label={t("talk.incognito")}
        title={t("talk.incognito")}
        onClick={() => setIncognito(!incognito)}
      >
        <Icon name="hush" />
      </button>
      {voice.offered && (
        <button type="button" className="btn quiet icon" aria-pressed={voice.on} aria-label={t(voice.on ? "talk.speak.stop" : "talk.speak")} title={t("talk.speak")} onClick={voice.toggle}>
          <Icon name="mic" />
        </button>
      )}
    </>
  );
}
