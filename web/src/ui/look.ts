/** Light, dark, or as the system says: chosen on this device. */
import { deviceStorage } from '../store/lenient-storage.ts';

export const looks = ['system', 'dark', 'light'] as const;
export type Look = (typeof looks)[number];

const key = 'tunemate/look';

export const chosenLook = (): Look => looks.find((look) => look === deviceStorage.getItem(key)) ?? 'system';

export function chooseLook(look: Look): void {
  deviceStorage.setItem(key, look);
  showLook();
}

/** Once before anything is drawn, and after each choice. Without the attribute the sheets ask the system. */
export function showLook(): void {
  document.documentElement.dataset['theme'] = chosenLook();
}
