/** Every line icon of the app: lucide drawings at our size and stroke. All are decorative (hidden from
   screen readers); the control that holds one carries the words. Solid marks of our own: marks.tsx. */
import type { ComponentType } from 'react';
import type { LucideProps } from 'lucide-react';
import { ArrowLeft, Check, Eye, EyeOff, Headphones, Mail, Monitor, Search, TriangleAlert, X } from 'lucide-react';

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
export const CheckIcon = /* @__PURE__ */ line(Check);
export const CloseIcon = /* @__PURE__ */ line(X);
export const EyeIcon = /* @__PURE__ */ line(Eye);
export const EyeOffIcon = /* @__PURE__ */ line(EyeOff);
export const HeadphonesIcon = /* @__PURE__ */ line(Headphones);
export const MailIcon = /* @__PURE__ */ line(Mail);
export const ScreenIcon = /* @__PURE__ */ line(Monitor);
export const SearchIcon = /* @__PURE__ */ line(Search);
