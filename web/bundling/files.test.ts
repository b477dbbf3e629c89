import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groups, refuseMissing } from './files.ts';

test('a path that names no file or folder stops the build', () => {
  expect(() => refuseMissing(['web/src/rooms/', 'web/src/ui/fields/Field', 'protocol/src/library-id'])).not.toThrow();
  for (const place of ['web/src/roms/', 'web/src/ui/fields/Fields', 'web/src/ui/fields/Fie', 'web/src/gone/Field'])
    expect(() => refuseMissing([place]), place).toThrow(`${place} names no file`);
});

test('a module goes to the first group that names its file or folder, style sheets with their component', () => {
  const groupOf = (path: string) => groups.find(({ test }) => test(join(import.meta.dirname, '..', '..', path)))?.name;
  expect(groupOf('web/src/ui/fields/Field.module.css')).toBe('app');
  expect(groupOf('web/src/ui/fields/TextField.tsx')).toBe('forms');
  expect(groupOf('web/src/rooms/room-kinds.ts')).toBe('inside');
  expect(groupOf('web/src/rooms/requests/HostDesk.tsx')).toBeUndefined();
  expect(groupOf('web/src/playback/clock-sync.ts')).toBe('room');
});
