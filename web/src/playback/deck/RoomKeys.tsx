/** Handles the keys of a room's player while the room is shown. Loaded after the room. */
import { useEffect, useEffectEvent, useState } from 'react';
import { hasFullScreen, toggleFullScreen } from './screen-modes.ts';
import type { DeviceSoundModel } from '../device-sound.ts';
import { isOwnDevice, keyIntent, keyTarget, mayRepeat, type KeyIntent, type KeyUse } from '../key-intents.ts';
import type { PlaybackModel } from '../playback-model.ts';
import { isShownPlaying, mayPress } from '../playback-view.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { hasLetterKeys } from '../../ui/letter-keys.ts';

const Dialog = lazyPart(async () => (await import('./KeysDialog.tsx')).KeysDialog);

export interface RoomKeysProps {
  model: PlaybackModel;
  deviceSound: DeviceSoundModel;
  hasPicture: boolean;
}

export function RoomKeys(props: RoomKeysProps) {
  const [isOpen, setIsOpen] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    if (isCharacter(event) && !hasLetterKeys()) return;
    const intent = keyIntent(event, keyUse(document.activeElement));
    if (intent === null || !isPossible(intent, props)) return;
    // The page must not scroll either.
    event.preventDefault();
    if (event.repeat && !mayRepeat(intent)) return;
    if (intent.type === 'help') setIsOpen(true);
    else act(intent, props);
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  if (!isOpen) return null;
  const canLead = leads(props.model);
  return <Dialog {...props} canLead={canLead} onClose={() => setIsOpen(false)} />;
}

const isCharacter = ({ key }: KeyboardEvent): boolean => key.length === 1 && key !== ' ';
const leads = (model: PlaybackModel): boolean => mayPress(model.view.get());

function isPossible(intent: KeyIntent, { model, hasPicture }: RoomKeysProps): boolean {
  if (intent.type === 'full-screen') return hasPicture && hasFullScreen;
  if (isOwnDevice(intent)) return true;
  const { track, queue } = model.view.get().playing;
  const turns = intent.type === 'next' || intent.type === 'previous';
  return leads(model) && (turns ? queue.length > 0 : track !== null);
}

function act(intent: KeyIntent, { model, deviceSound }: RoomKeysProps): void {
  const { host } = model;
  const { volume, isMuted } = deviceSound.sound.get();
  switch (intent.type) {
    case 'toggle':
      return host.setPlaying(!isShownPlaying(model.view.get()));
    case 'next':
      return host.next();
    case 'previous':
      return host.previous();
    case 'mute':
      return deviceSound.setMuted(!isMuted);
    case 'volume':
      return deviceSound.setVolume(volume + intent.step);
    case 'full-screen':
      return toggleFullScreen();
    case 'skip':
    case 'tenth': {
      const { durationSeconds } = model.view.get().playing;
      const { isLive } = model.follow.get();
      const target = keyTarget(intent, { positionSeconds: model.positionSeconds(), durationSeconds, isLive });
      if (target !== null) host.seek(target);
      return undefined;
    }
    case 'help':
      return undefined;
  }
}

/** The first match counts. Scrollable regions can have the focus too. */
const uses: readonly (readonly [selector: string, use: KeyUse])[] = [
  ['input[type="range"]', 'arrows'],
  ['input[type="radio"]', 'scroll'],
  ['input[type="checkbox"]', 'press'],
  ['input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]', 'typing'],
  ['button, a, summary', 'press'],
  ['[tabindex="0"]', 'scroll'],
];

function keyUse(focused: Element | null): KeyUse {
  return uses.find(([selector]) => focused?.closest(selector))?.[1] ?? 'none';
}
