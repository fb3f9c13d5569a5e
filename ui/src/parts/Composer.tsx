/** Where words and pictures go in: paste, drop or pick; Enter sends unless an input method is composing. */
import { type ClipboardEvent, type DragEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useSpeech } from "../i18n";
import { type Picture, readPicture, refusal } from "../lib/images";
import { go, link } from "../lib/router";
import { useChat } from "./ChatStore";
import { useFeedback } from "./feedback";
import { Icon } from "./icons";

export function Composer() {
  const { t } = useSpeech();
  const { say } = useFeedback();
  const { talk, stop, busy, incognito, setIncognito } = useChat();
  const [text, setText] = useState("");
  const [pictures, setPictures] = useState<Picture[]>([]);
  const [dropping, setDropping] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (matchMedia("(min-width: 761px)").matches) area.current?.focus({ preventScroll: true });
  }, []);

  const take = async (files: Iterable<File>) => {
    const kept = [...pictures];
    for (const file of files) {
      const why = refusal(file, kept);
      if (why) say(t(why, { name: file.name }));
      else kept.push(await readPicture(file));
    }
    setPictures(kept);
  };
  const onSend = (event?: FormEvent) => {
    event?.preventDefault();
    const words = text.trim();
    if (busy || (!words && pictures.length === 0)) return;
    setText("");
    setPictures([]);
    if (location.hash.includes("turn=")) go(link("chat"));
    void talk(words, pictures);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    onSend();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void take(event.clipboardData.files);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    void take(event.dataTransfer.files);
  };
  return (
    <div className="composer">
      <form
        className={`${incognito ? "hush " : ""}${dropping ? "dropping" : ""}`}
        data-drop={t("chat.drop")}
        onSubmit={onSend}
        onDrop={onDrop}
        onDragOver={(e) => {
          e.preventDefault();
          setDropping(true);
        }}
        onDragLeave={() => setDropping(false)}
      >
        {incognito && <p className="hushline">{t("chat.incognito.on")}</p>}
        {pictures.length > 0 && (
          <div className="pictures">
            {pictures.map((p) => (
              <div className="picture" key={p.url}>
                <img src={p.url} alt={p.name} />
                <button
                  type="button"
                  aria-label={t("chat.remove_image", { name: p.name })}
                  onClick={() => setPictures((all) => all.filter((x) => x !== p))}
                >
                  ×
                </button>
              </div>
            ))}
          </div>
        )}
        <div className="line">
          <button type="button" className="btn quiet icon" aria-label={t("chat.attach")} title={t("chat.attach")} onClick={() => picker.current?.click()}>
            <Icon name="image" />
          </button>
          <input
            ref={picker}
            type="file"
            hidden
            multiple
            accept="image/png,image/jpeg,image/webp"
            aria-label={t("chat.attach")}
            onChange={(e) => {
              if (e.target.files) void take([...e.target.files]);
              e.target.value = "";
            }}
          />
          <button
            type="button"
            className="btn quiet icon"
            aria-pressed={incognito}
            aria-label={t("chat.incognito")}
            title={t("chat.incognito")}
            onClick={() => setIncognito(!incognito)}
          >
            <Icon name="hush" />
          </button>
          <textarea
            ref={area}
            rows={1}
            value={text}
            aria-label={t("chat.input")}
            aria-description={t("chat.hint")}
            placeholder={t("chat.input")}
            onChange={(e) => setText(e.target.value)}
            onKeyDown={onKey}
            onPaste={onPaste}
          />
          {busy ? (
            <button type="button" className="btn icon" aria-label={t("chat.stop")} title={t("chat.stop")} onClick={() => void stop()}>
              <Icon name="stop" />
            </button>
          ) : (
            <button
              type="submit"
              className="btn main icon"
              aria-label={t("chat.send")}
              title={t("chat.send")}
              disabled={!text.trim() && pictures.length === 0}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      </form>
    </div>
  );
}
