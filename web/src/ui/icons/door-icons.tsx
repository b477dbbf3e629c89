/** Icons for joining and sharing a room. Apart from the others, so that pages without a room don't load them. */
import { Clock3, KeyRound, Link2, MailOpen, Share2, Wifi } from 'lucide-react';
import { line } from './icons.tsx';

export const ClockIcon = /* @__PURE__ */ line(Clock3);
export const KeyIcon = /* @__PURE__ */ line(KeyRound);
export const OpenMailIcon = /* @__PURE__ */ line(MailOpen);
export const NetworkIcon = /* @__PURE__ */ line(Wifi);
export const LinkIcon = /* @__PURE__ */ line(Link2);
export const ShareIcon = /* @__PURE__ */ line(Share2);
