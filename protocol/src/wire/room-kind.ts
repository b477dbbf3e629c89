/**
 * The two kinds of room. A kind is data: whatever differs between them stands in a table keyed by RoomKind
 * (domain: rules, server: table names, web: sentences). Nothing else may compare kinds.
 */
import { z } from 'zod';

export const roomKinds = ['video', 'audio'] as const;
export const roomKind = z.enum(roomKinds);
export type RoomKind = z.infer<typeof roomKind>;
