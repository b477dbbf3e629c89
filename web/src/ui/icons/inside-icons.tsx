/** Line icons of the screens behind signing in; those of every screen are in icons.tsx. */
import {
  Bell,
  ChevronDown,
  ChevronRight,
  ChevronUp,
  Copy,
  EllipsisVertical,
  Image,
  Keyboard,
  LogOut,
  Menu,
  MessageSquare,
  Plus,
  UserMinus,
  UserPlus,
  Users,
} from 'lucide-react';
import { line } from './icons.tsx';

export const BellIcon = /* @__PURE__ */ line(Bell);
export const ChevronDownIcon = /* @__PURE__ */ line(ChevronDown);
export const ChevronRightIcon = /* @__PURE__ */ line(ChevronRight);
export const ChevronUpIcon = /* @__PURE__ */ line(ChevronUp);
export const CopyIcon = /* @__PURE__ */ line(Copy);
export const KeyboardIcon = /* @__PURE__ */ line(Keyboard);
export const LeaveIcon = /* @__PURE__ */ line(LogOut);
export const MenuIcon = /* @__PURE__ */ line(Menu);
export const MessageIcon = /* @__PURE__ */ line(MessageSquare);
export const MoreIcon = /* @__PURE__ */ line(EllipsisVertical);
export const PeopleIcon = /* @__PURE__ */ line(Users);
export const PersonMinusIcon = /* @__PURE__ */ line(UserMinus);
export const PersonPlusIcon = /* @__PURE__ */ line(UserPlus);
export const PictureIcon = /* @__PURE__ */ line(Image);
export const PlusIcon = /* @__PURE__ */ line(Plus);
