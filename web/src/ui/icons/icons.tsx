/** Every line icon of the app: lucide drawings at our size and stroke. All are decorative (hidden from
   screen readers); the control that holds one carries the words. Solid marks of our own: marks.tsx. */
import type { ComponentType } from 'react';
import type { LucideProps } from 'lucide-react';
import {
  ArrowLeft,
  Bell,
  Check,
  ChevronDown,
  ChevronRight,
  ChevronUp,
  Copy,
  EllipsisVertical,
  Eye,
  EyeOff,
  Headphones,
  House,
  Image,
  Keyboard,
  LogOut,
  Mail,
  Menu,
  MessageSquare,
  Monitor,
  Plus,
  Search,
  TriangleAlert,
  UserMinus,
  UserPlus,
  Users,
  X,
} from 'lucide-react';

/** `size` in pixels, 20 by default. */
export interface IconProps {
  size?: number | undefined;
}

export function line(Drawing: ComponentType<LucideProps>) {
  return function LineIcon({ size = 20 }: IconProps) {
    return <Drawing size={size} strokeWidth={1.8} absoluteStrokeWidth={size > 30} aria-hidden="true" />;
  };
}

export const AlertIcon = /* @__PURE__ */ line(TriangleAlert);
export const BackIcon = /* @__PURE__ */ line(ArrowLeft);
export const BellIcon = /* @__PURE__ */ line(Bell);
export const CheckIcon = /* @__PURE__ */ line(Check);
export const ChevronDownIcon = /* @__PURE__ */ line(ChevronDown);
export const ChevronRightIcon = /* @__PURE__ */ line(ChevronRight);
export const ChevronUpIcon = /* @__PURE__ */ line(ChevronUp);
export const CloseIcon = /* @__PURE__ */ line(X);
export const CopyIcon = /* @__PURE__ */ line(Copy);
export const EyeIcon = /* @__PURE__ */ line(Eye);
export const EyeOffIcon = /* @__PURE__ */ line(EyeOff);
export const HeadphonesIcon = /* @__PURE__ */ line(Headphones);
export const HomeIcon = /* @__PURE__ */ line(House);
export const KeyboardIcon = /* @__PURE__ */ line(Keyboard);
export const LeaveIcon = /* @__PURE__ */ line(LogOut);
export const MailIcon = /* @__PURE__ */ line(Mail);
export const MenuIcon = /* @__PURE__ */ line(Menu);
export const MessageIcon = /* @__PURE__ */ line(MessageSquare);
export const MoreIcon = /* @__PURE__ */ line(EllipsisVertical);
export const PeopleIcon = /* @__PURE__ */ line(Users);
export const PersonMinusIcon = /* @__PURE__ */ line(UserMinus);
export const PersonPlusIcon = /* @__PURE__ */ line(UserPlus);
export const PictureIcon = /* @__PURE__ */ line(Image);
export const PlusIcon = /* @__PURE__ */ line(Plus);
export const ScreenIcon = /* @__PURE__ */ line(Monitor);
export const SearchIcon = /* @__PURE__ */ line(Search);
