/** Line icons of rooms and of the other screens behind signing in; those of every screen are in icons.tsx. */
import { Bell, ChevronDown, ChevronRight, ChevronUp, LogOut, MessageSquare, UserPlus, Users } from 'lucide-react';
import { line } from './icons.tsx';

export const BellIcon = /* @__PURE__ */ line(Bell);
export const ChevronDownIcon = /* @__PURE__ */ line(ChevronDown);
export const ChevronRightIcon = /* @__PURE__ */ line(ChevronRight);
export const ChevronUpIcon = /* @__PURE__ */ line(ChevronUp);
export const LeaveIcon = /* @__PURE__ */ line(LogOut);
export const MessageIcon = /* @__PURE__ */ line(MessageSquare);
export const PeopleIcon = /* @__PURE__ */ line(Users);
export const PersonPlusIcon = /* @__PURE__ */ line(UserPlus);
