import { expect, test } from 'vitest';
import { decideRestart } from './restart-pause.mjs';

/** The pauses before each new start of a program that ends `times` times with `code` after `ranMs`. */
function pauses(times, { code = null, ranMs = 1000 } = {}) {
  const all = [];
  for (let crashes = 0; all.length < times;) {
    const decision = decideRestart({ code, ranMs, crashesBefore: crashes });
    all.push(decision.pauseMs);
    crashes = decision.crashes;
  }
  return all;
}

test('comes back within a second, with a pause that doubles up to half a minute when it keeps failing', () => {
  expect(pauses(9)).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('begins with the shortest pause again after it has run well for a minute', () => {
  expect(pauses(3, { ranMs: 60_000 })).toEqual([250, 250, 250]);
  expect(decideRestart({ code: 70, ranMs: 61_000, crashesBefore: 8 })).toEqual({
    again: true,
    pauseMs: 250,
    crashes: 1,
  });
});

test('does not start again after a requested end, nor after a first start that failed', () => {
  expect(decideRestart({ code: 0, ranMs: 5, crashesBefore: 3 })).toEqual({ again: false });
  expect(decideRestart({ code: 1, ranMs: 500, crashesBefore: 0 })).toEqual({ again: false });
});

test('tries again when a start fails after a crash, because a service may only be away', () => {
  expect(decideRestart({ code: 1, ranMs: 500, crashesBefore: 1 })).toEqual({ again: true, pauseMs: 500, crashes: 2 });
});
