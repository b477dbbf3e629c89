/** The one way in which maps that may not grow forget: the entry that was put longest ago goes first. */

/** Puts the entry at the end of the map, and drops from its beginning what is more than `most`. Returns the value. */
export function putLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): Value {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
  return value;
}
