/** Line icons of Our music. */
import { Download, RefreshCw } from 'lucide-react';
import { line } from './icons.tsx';

export const AgainIcon = /* @__PURE__ */ line(RefreshCw);
export const DownloadIcon = /* @__PURE__ */ line(Download);
