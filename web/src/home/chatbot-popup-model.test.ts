import { expect, test } from 'vitest';
import { lenientStorage } from '../store/lenient-storage.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createChatbotPopupModel } from './chatbot-popup-model.ts';

test('the chatbot popup opens by itself once per sign-in, also across reloads', () => {
  const storage = memoryStorage();
  const first = createChatbotPopupModel(storage);
  first.arrive();
  expect(first.isShown.get()).toBe(true);
  first.dismiss();
  first.arrive();
  expect(first.isShown.get()).toBe(false);
  const reloaded = createChatbotPopupModel(storage);
  reloaded.arrive();
  expect(reloaded.isShown.get()).toBe(false);
  reloaded.renew();
  reloaded.arrive();
  expect(reloaded.isShown.get()).toBe(true);
});

test('the button opens the popup whenever it is pressed', () => {
  const model = createChatbotPopupModel(
    lenientStorage(() => {
      throw new Error('forbidden');
    }),
  );
  model.arrive();
  model.dismiss();
  model.open();
  expect(model.isShown.get()).toBe(true);
});
