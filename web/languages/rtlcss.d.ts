declare module 'rtlcss' {
  /** A PostCSS plugin. */
  export default function rtlcss(): { readonly postcssPlugin: string };
}
