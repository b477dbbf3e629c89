/**
 * Writes JSON in chunks without holding it in memory: an async iterable becomes an array, item by item, and a function
 * is called when its value is written.
 */

const chunkLength = 64 * 1024;

/** The text in chunks of moderate length, one item of a list on each line. */
export async function* streamedJson(value: unknown): AsyncGenerator<string> {
  let chunk = '';
  for await (const piece of pieces(value)) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

async function* pieces(value: unknown): AsyncGenerator<string> {
  if (typeof value === 'function') yield* pieces(await (value as () => unknown)());
  else if (isAsyncIterable(value)) yield* listPieces(value);
  else if (typeof value === 'object' && value !== null && Object.values(value).some(isRead)) {
    let before = '{\n';
    for (const [name, part] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}: `;
      yield* pieces(part);
      before = ',\n';
    }
    yield '\n}';
  } else yield JSON.stringify(value) ?? 'null';
}

async function* listPieces(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield `${before}\n`;
    yield* pieces(item);
    before = ',';
  }
  yield before === '[' ? '[]' : '\n]';
}

const isRead = (value: unknown): boolean => typeof value === 'function' || isAsyncIterable(value);

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
