/** The microphone beside the message field: a finger holds it, a mouse or a key presses it. */
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { useReadable } from '../../store/use-readable.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { MicrophoneIcon } from '../../ui/icons/page-icons.tsx';
import { conversationWords } from '../conversation-words.ts';
import { holdPress, type Press } from './press.ts';

/** `press` is null when a mouse or a key began the recording. */
export interface Recording {
  readonly press: Press | null;
}

const hintMs = 4000;

/** The recording that is made; null while none is. */
export function useVoice() {
  const [recording, setRecording] = useState<Recording | null>(null);
  const [hint, setHint] = useState<string | null>(null);
  useEffect(() => {
    if (hint === null) return undefined;
    const timer = setTimeout(() => setHint(null), hintMs);
    return () => clearTimeout(timer);
  }, [hint]);
  return {
    recording,
    hint,
    begin(press: Press | null) {
      setHint(null);
      setRecording({ press });
    },
    end(why: string | null = null) {
      setRecording(null);
      setHint(why);
    },
  };
}

interface VoiceButtonProps {
  isRecording: boolean;
  onBegin: (press: Press | null) => void;
}

/** Absent where the server can't decode recordings. */
export function VoiceButton({ isRecording, onBegin }: VoiceButtonProps) {
  const isOffered = useReadable(useApp().session.config)?.voiceMessages === true;
  const button = useRef<HTMLButtonElement>(null);
  const wasRecording = useRef(false);
  const wasHeld = useRef(false);
  useEffect(() => {
    if (wasRecording.current && !isRecording) button.current?.focus();
    wasRecording.current = isRecording;
  }, [isRecording]);

  function onPointerDown(event: PointerEvent): void {
    wasHeld.current = isFingerOnPhone(event);
    if (wasHeld.current) onBegin(holdPress(event.nativeEvent));
  }

  if (!isOffered) return null;
  return (
    <IconButton
      ref={button}
      label={conversationWords.recordVoice}
      icon={<MicrophoneIcon size={24} />}
      style={{ touchAction: 'none' }}
      onPointerDown={onPointerDown}
      onContextMenu={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        // A click of the finger that held it; a key's has no detail.
        if (detail === 0 || !wasHeld.current) onBegin(null);
      }}
    />
  );
}

/** The presses of a screen reader have no size: nobody holds them. */
function isFingerOnPhone({ pointerType, isPrimary, width, height }: PointerEvent): boolean {
  const isFinger = pointerType !== 'mouse' && isPrimary && width + height > 0;
  return isFinger && matchMedia('(max-width: 768px)').matches;
}
