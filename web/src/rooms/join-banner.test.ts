import { manualTimer } from '../connection/fixtures.ts';
import { describe, expect, test } from 'vitest';
import { bannerNames, createJoinBanner } from './join-banner.ts';
import { joinRequest } from './fixtures.ts';

describe('the banner for new join requests', () => {
  function fresh() {
    const timer = manualTimer();
    const model = createJoinBanner(timer.schedule);
    const names = () => bannerNames(model.banner.get()?.people ?? []);
    return { timer, model, names };
  }
  const ada = joinRequest('Ada', 1);
  const ben = joinRequest('Ben', 2);
  const cy = joinRequest('Cy', 3);

  test('ROOM-W27 does not announce people who were waiting before the host entered', () => {
    const { model } = fresh();
    model.show([ada]);
    expect(model.banner.get()).toBeNull();
  });

  test('ROOM-W28 shows a new request for five seconds', () => {
    const { timer, model, names } = fresh();
    model.show([]);
    model.show([ada]);
    expect(names()).toBe('Ada');
    timer.pass(4999);
    expect(names()).toBe('Ada');
    timer.pass(1);
    expect(model.banner.get()).toBeNull();
  });

  test('ROOM-W29 combines several requests, the newest first, and restarts its five seconds', () => {
    const { timer, model, names } = fresh();
    model.show([]);
    model.show([ada]);
    timer.pass(3000);
    model.show([ada, ben, cy]);
    expect(names()).toBe('Cy and 2 more');
    timer.pass(3000);
    expect(names()).toBe('Cy and 2 more');
    timer.pass(2000);
    expect(model.banner.get()).toBeNull();
  });

  test('ROOM-W30 removes people who were answered meanwhile, and closes when nobody is left', () => {
    const { model, names } = fresh();
    model.show([]);
    model.show([ada, ben]);
    model.show([ada]);
    expect(names()).toBe('Ada');
    model.show([]);
    expect(model.banner.get()).toBeNull();
  });

  test('ROOM-W31 announces a person who asks again', () => {
    const { model, names } = fresh();
    model.show([ada]);
    model.show([]);
    model.show([{ ...ada, askedAt: 99 }]);
    expect(names()).toBe('Ada');
  });
});
