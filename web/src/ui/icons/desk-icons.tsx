/** Line icons of what waits for a host, and of the board before the first track. */
import { ArrowUpFromLine, DoorClosed, ListVideo, QrCode, SkipForward } from 'lucide-react';
import { line } from './icons.tsx';

export const DoorIcon = /* @__PURE__ */ line(DoorClosed);
export const ProposalIcon = /* @__PURE__ */ line(ArrowUpFromLine);
export const QrIcon = /* @__PURE__ */ line(QrCode);
export const QueueGoesOnIcon = /* @__PURE__ */ line(ListVideo);
export const SkipVoteIcon = /* @__PURE__ */ line(SkipForward);
