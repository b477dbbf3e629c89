/** Whether letters, digits and signs work as keys: chosen on this device. Speech input types them by mistake. */
import { deviceStorage } from '../store/lenient-storage.ts';

const key = 'tunemate/letter-keys';

export const hasLetterKeys = (): boolean => deviceStorage.getItem(key) !== 'off';

export function setLetterKeys(isOn: boolean): void {
  if (isOn) deviceStorage.removeItem(key);
  else deviceStorage.setItem(key, 'off');
}
