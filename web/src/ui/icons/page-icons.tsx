/** Line icons that no room shows before something in it is opened. */
import {
  Copy,
  Disc3,
  EllipsisVertical,
  House,
  Image,
  Keyboard,
  Menu,
  Mic,
  Plus,
  Settings,
  Smile,
  UserMinus,
} from 'lucide-react';
import { line } from './icons.tsx';

export const CopyIcon = /* @__PURE__ */ line(Copy);
export const DiscIcon = /* @__PURE__ */ line(Disc3);
export const GearIcon = /* @__PURE__ */ line(Settings);
export const HomeIcon = /* @__PURE__ */ line(House);
export const KeyboardIcon = /* @__PURE__ */ line(Keyboard);
export const MenuIcon = /* @__PURE__ */ line(Menu);
export const MicrophoneIcon = /* @__PURE__ */ line(Mic);
export const MoreIcon = /* @__PURE__ */ line(EllipsisVertical);
export const PersonMinusIcon = /* @__PURE__ */ line(UserMinus);
export const PictureIcon = /* @__PURE__ */ line(Image);
export const PlusIcon = /* @__PURE__ */ line(Plus);
export const SmileIcon = /* @__PURE__ */ line(Smile);
