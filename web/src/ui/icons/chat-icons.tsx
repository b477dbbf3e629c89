/** Icons of the list of private chats. Apart from the others, so that pages without it don't load them. */
import { Archive, ArchiveRestore, BellOff, Pin, PinOff } from 'lucide-react';
import { line } from './icons.tsx';

export const ArchiveIcon = /* @__PURE__ */ line(Archive);
export const UnarchiveIcon = /* @__PURE__ */ line(ArchiveRestore);
export const MutedIcon = /* @__PURE__ */ line(BellOff);
export const PinIcon = /* @__PURE__ */ line(Pin);
export const UnpinIcon = /* @__PURE__ */ line(PinOff);
