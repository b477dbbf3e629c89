/**
 * Payloads for a fuzzer, made from the schemas of the protocol: mostly of the right form, with ids that exist, and
 * broken in one place or several. The dice decide everything, so a seed repeats a run. Knows no server.
 */
import { z } from 'zod';

/** A JSON Schema, as far as ours use it. */
interface Shape {
  type?: string | string[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  maxLength?: number;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

export type Dice = () => number;

/** What was seen in answers, by the name of its field: the next payloads name it. */
export class KnownValues {
  readonly #byField = new Map<string, unknown[]>();

  add(field: string, value: unknown): void {
    const known = this.#byField.get(field) ?? [];
    if (known.includes(value)) return;
    this.#byField.set(field, [value, ...known].slice(0, 24));
  }

  /** Remembers every text and number of an answer. */
  learn(value: unknown, field = ''): void {
    if (typeof value === 'string' || typeof value === 'number') this.add(field, value);
    else if (Array.isArray(value)) value.slice(0, 20).forEach((each) => this.learn(each, field));
    else if (typeof value === 'object' && value !== null) {
      Object.entries(value).forEach(([name, each]) => this.learn(each, name));
    }
  }

  /** Fields that belong together in one payload, such as kind and code of a room: at most one such set is used. */
  readonly together: Record<string, unknown>[] = [];

  of(field: string): readonly unknown[] {
    return this.#byField.get(field) ?? [];
  }
}

const pick = <T>(dice: Dice, from: readonly T[]): T | undefined => from[Math.floor(dice() * from.length)];

const hostile: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1e308, -1e308, 2 ** 53, 0.1, -0, 1e-320],
  ...[
    '',
    ' ',
    '\u0000',
    '\uD800',
    '\u202Eabc',
    '../../x',
    '%00',
    "' or 1=1 --",
    '{}',
    '<script>',
    '__proto__',
    '💥'.repeat(600),
  ],
  ...[[], {}, [[]], [null], { toString: 1 }, { length: -1 }, { $gt: '' }, Array.from({ length: 300 }, () => 1)],
  JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}'),
  JSON.parse('['.repeat(30) + ']'.repeat(30)),
];

export function payloadMaker(dice: Dice, known: KnownValues): (schema: z.ZodType) => unknown {
  const shapes = new Map<z.ZodType, Shape>();
  /** How often a value is replaced by a hostile one; drawn anew for each payload, so that many are wholly valid. */
  let badness = 0;

  function text({ format, maxLength = 60, minLength = 0 }: Shape): string {
    if (format === 'uuid') {
      const hex = Array.from({ length: 32 }, () => Math.floor(dice() * 16).toString(16)).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    }
    const length = pick(dice, [minLength, maxLength, maxLength + 1, Math.floor(dice() * 24)]) ?? 0;
    const letters = pick(dice, ['abcXYZ 019', 'ABCDEF0123456789', 'é漢\u0301👩‍🚀 \u200B', '@. #:/?&=%']) ?? 'a';
    return Array.from({ length: Math.min(length, 4000) }, () =>
      letters.charAt(Math.floor(dice() * letters.length)),
    ).join('');
  }

  function number({ type, minimum = -10, maximum = 1000 }: Shape): number {
    const drawn = minimum + dice() * (Math.min(maximum, 1e9) - minimum);
    const value = pick(dice, [minimum, maximum, minimum - 1, maximum + 1, drawn, drawn, drawn]) ?? 0;
    return type === 'integer' ? Math.round(value) : value;
  }

  function object({ properties = {}, required = [] }: Shape): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [name, shape] of Object.entries(properties)) {
      const isLeftOut = required.includes(name) ? dice() < badness : dice() < 0.5;
      if (!isLeftOut) made[name] = value(shape, name);
    }
    const set = dice() < 0.85 ? pick(dice, known.together) : undefined;
    if (set && Object.keys(set).every((name) => name in made)) Object.assign(made, set);
    if (dice() < badness) made[pick(dice, ['uid', 'role', 'constructor', 'senderId', '']) ?? 'x'] = pick(dice, hostile);
    return made;
  }

  function value(shape: Shape, field: string): unknown {
    if (dice() < badness) return pick(dice, hostile);
    const options = shape.anyOf ?? shape.oneOf ?? shape.allOf;
    if (options) return value(pick(dice, options) ?? {}, field);
    if (shape.const !== undefined) return shape.const;
    if (shape.enum) return pick(dice, shape.enum);
    // A client makes a new id for each thing it does.
    const seen = field === 'clientId' && dice() < 0.9 ? [] : known.of(field);
    const type = Array.isArray(shape.type) ? pick(dice, shape.type) : shape.type;
    if (seen.length > 0 && (type === 'string' || type === 'number' || type === 'integer') && dice() < 0.8) {
      return pick(dice, seen);
    }
    if (type === 'object') return object(shape);
    if (type === 'array') {
      const count = Math.floor(dice() * Math.min((shape.maxItems ?? 4) + 2, 60));
      return Array.from({ length: count }, () => value(shape.items ?? {}, field));
    }
    if (type === 'string') return text(shape);
    if (type === 'number' || type === 'integer') return number(shape);
    if (type === 'boolean') return dice() < 0.5;
    return type === 'null' ? null : pick(dice, hostile);
  }

  return (schema) => {
    const shape = shapes.get(schema) ?? (z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Shape);
    shapes.set(schema, shape);
    badness = pick(dice, [0, 0, 0, 0.05, 0.3]) ?? 0;
    return value(shape, '');
  };
}
