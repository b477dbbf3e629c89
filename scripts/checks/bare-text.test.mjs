import { describe, expect, test } from 'vitest';
import { bareTexts } from './bare-text.mjs';

const one = (path, text) => [{ path, text }];

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
