/** When a room is large: its names come in pages, and people who join or come back are told as a count. */
import { limits } from '@tunemate/protocol';

export const isLargeRoom = (people: number): boolean => people > limits.namedPeople;
