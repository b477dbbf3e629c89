/** Icons of the menu of a private message. Apart from the others, so that pages without it don't load them. */
import { Flag, Pencil, Reply, Trash2 } from 'lucide-react';
import { line } from './icons.tsx';

export const EditIcon = /* @__PURE__ */ line(Pencil);
export const FlagIcon = /* @__PURE__ */ line(Flag);
export const ReplyIcon = /* @__PURE__ */ line(Reply);
export const TrashIcon = /* @__PURE__ */ line(Trash2);
