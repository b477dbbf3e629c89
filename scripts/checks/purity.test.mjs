import { describe, expect, test } from 'vitest';
import { impureCalls } from './purity.mjs';

const one = (path, text) => [{ path, text }];

describe('pure workspaces', () => {
  test('ask no clock and no dice, though their comments may speak of them', () => {
    expect(
      impureCalls(one('domain/src/rooms/code.ts', `const a = Date.now();\nconst b = Math.random();`)),
    ).toHaveLength(2);
    expect(impureCalls(one('domain/src/rooms/code.ts', `// not Date.now()\n/** nor \`performance.now()\` */`))).toEqual(
      [],
    );
    expect(impureCalls(one('server/src/system/machine.ts', 'Date.now()'))).toEqual([]);
  });
});
