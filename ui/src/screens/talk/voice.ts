/** Speaking and reading aloud through the browser's own Web Speech API; both are off until they are asked for. */
import { useCallback, useEffect, useRef, useState } from "react";
import { useSpeech } from "../../i18n";

interface Recogniser {
  lang: string;
  interimResults: boolean;
  start: () => void;
  stop: () => void;
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onend: (() => void) | null;
}

type Maker = new () => Recogniser;

export function voiceOn(): boolean {
  return localStorage.getItem("voice") === "1";
}

export function setVoice(on: boolean): void {
  localStorage.setItem("voice", on ? "1" : "0");
}

function maker(): Maker | null {
  const host = window as unknown as { SpeechRecognition?: Maker; webkitSpeechRecognition?: Maker };
  return host.SpeechRecognition ?? host.webkitSpeechRecognition ?? null;
}

export function useListening(onHeard: (words: string) => void) {
  const { language } = useSpeech();
  const [on, setOn] = useState(false);
  const ear = useRef<Recogniser | null>(null);
  useEffect(() => () => ear.current?.stop(), []);
  const toggle = useCallback(() => {
    if (ear.current) return ear.current.stop();
    const Made = maker();
    if (!Made) return;
    const made = new Made();
    made.lang = language === "ja" ? "ja-JP" : "en-US";
    made.interimResults = false;
    made.onresult = (event) => {
      const last = event.results[event.results.length - 1]?.[0]?.transcript;
      if (last) onHeard(last);
    };
    made.onend = () => {
      ear.current = null;
      setOn(false);
    };
    ear.current = made;
    made.start();
    setOn(true);
  }, [language, onHeard]);
  return { offered: voiceOn() && maker() !== null, on, toggle };
}

export function readAloud(text: string, language: string): void {
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language === "ja" ? "ja-JP" : "en-US";
  speechSynthesis.speak(words);
}

export function mayRead(): boolean {
  return voiceOn() && "speechSynthesis" in window;
}
