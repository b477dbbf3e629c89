import { describe, expect, test } from 'vitest';
import { othersWaiting } from '../join/admission-words.ts';
import { createJoinBanner } from './join-banner.ts';
import { joinRequest } from '../../../testing/room-fixtures.ts';

describe('the banner for new join requests', () => {
  function fresh() {
    const model = createJoinBanner();
    const names = () => model.banner.get()?.people.map(({ name }) => name);
    return { model, names };
  }
  const ada = joinRequest('Ada', 1);
  const ben = joinRequest('Ben', 2);
  const cy = joinRequest('Cy', 3);

  test('ROOM-W27 does not announce people who were waiting before the host entered', () => {
    const { model } = fresh();
    model.show([ada]);
    expect(model.banner.get()).toBeNull();
  });

  test('ROOM-W28 shows a new request until its time is up', () => {
    const { model, names } = fresh();
    model.show([]);
    model.show([ada]);
    expect(names()).toEqual(['Ada']);
    model.dismiss();
    expect(model.banner.get()).toBeNull();
    model.show([ada]);
    expect(model.banner.get()).toBeNull();
  });

  test('ROOM-W29 combines several requests, the newest first, and begins anew', () => {
    const { model, names } = fresh();
    model.show([]);
    model.show([ada]);
    const first = model.banner.get()?.key;
    model.show([ada, ben, cy]);
    expect(names()).toEqual(['Cy', 'Ben', 'Ada']);
    expect(model.banner.get()?.key).not.toBe(first);
    expect([1, 2, 3].map(othersWaiting)).toEqual([undefined, 'and 1 more waits', 'and 2 more wait']);
  });

  test('ROOM-W30 removes people who were answered meanwhile, and closes when nobody is left', () => {
    const { model, names } = fresh();
    model.show([]);
    model.show([ada, ben]);
    model.show([ada]);
    expect(names()).toEqual(['Ada']);
    model.show([]);
    expect(model.banner.get()).toBeNull();
  });

  test('ROOM-W31 announces a person who asks again', () => {
    const { model, names } = fresh();
    model.show([ada]);
    model.show([]);
    model.show([{ ...ada, askedAt: 99 }]);
    expect(names()).toEqual(['Ada']);
  });
});
