import { describe, expect, test } from 'vitest';
import { bareTexts } from './bare-text.mjs';
import { impureCalls } from './purity.mjs';
import { kindComparisons } from './room-kinds.mjs';

const one = (path, text) => [{ path, text }];

describe('room kinds', () => {
  test.each([
    `if (kind === 'audio') {}`,
    `return room.kind !== "video" ? a : b`,
    `'audio' === room.kind`,
    `if (roomKind == 'video') {}`,
    `switch (kind) { case 'audio': return 1 }`,
  ])('are compared nowhere: %s', (text) => {
    expect(kindComparisons(one('web/src/rooms/seats.ts', text))).toHaveLength(1);
  });

  test.each([
    ['domain/src/rooms/room-kinds.ts', `if (kind === 'audio') {}`],
    ['server/src/catalogue/library.ts', `if (item.kind === 'audio') {}`],
    ['web/src/rooms/seats.ts', `if (item.mediaKind === 'audio') {}`],
    ['web/src/rooms/seats.ts', `const copy = sentences[kind]`],
    ['web/src/rooms/seats.test.ts', `if (kind === 'audio') {}`],
  ])('may be compared in %s: %s', (path, text) => {
    expect(kindComparisons(one(path, text))).toEqual([]);
  });
});

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

describe('text beside other children', () => {
  const inComponent = (jsx, props = '') => one('web/src/ui/Key.tsx', `${props}\nexport const Key = (props) => ${jsx};`);

  test.each([
    '<button>{busy && <Spinner />}{children}</button>',
    '<button>{busy ? <Spinner /> : icon}<span>{children}</span></button>',
    '<p>{count} people</p>',
    '<p>Hello <Name /></p>',
    '<p><b>Ivo</b> {message}</p>',
    '<>{words}<Badge count={count} /></>',
    '<p>{list.map((one) => one.name)}<b>all</b></p>',
    '<Button>{count} more</Button>',
    '<p><b>Ivo</b>{more > 0 && ` and ${more}`}</p>',
  ])('is found: %s', (jsx) => {
    expect(bareTexts(inComponent(jsx))).not.toEqual([]);
  });

  test.each([
    '<button>{busy && <Spinner />}<span>{children}</span></button>',
    '<p>{`${count} people`}</p>',
    '<p>{count}</p>',
    '<p>Hello <b>you</b></p>',
    '<ul>{list.map((one) => <li key={one}>{one}</li>)}<li>all</li></ul>',
    '<div>{/* why */}{words}</div>',
  ])('is not found: %s', (jsx) => {
    expect(bareTexts(inComponent(jsx))).toEqual([]);
  });

  test('is not found in a property to which no text can be assigned', () => {
    const jsx = '<div>{lead}<b>all</b>{props.trail}</div>';
    expect(bareTexts(inComponent(jsx, 'interface Props { lead: Elements; trail?: ReactElement | null }'))).toEqual([]);
    expect(bareTexts(inComponent(jsx, 'interface Props { lead: ReactNode; trail: string }'))).toHaveLength(2);
  });
});
