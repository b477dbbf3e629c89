/** Icons of the account's index. */
import { CircleUserRound, Database, Palette } from 'lucide-react';
import { line } from './icons.tsx';

export const DataIcon = /* @__PURE__ */ line(Database);
export const LookIcon = /* @__PURE__ */ line(Palette);
export const ProfileIcon = /* @__PURE__ */ line(CircleUserRound);
