/** Lucide's drawings, without what lucide could do with them beside. */
import { join } from 'node:path';
import type { Plugin } from 'vite';

export function lucideIcons(): Plugin {
  return {
    name: 'lucide-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer = '') =>
      id.endsWith('/createLucideIcon.mjs') && /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/.test(importer)
        ? join(import.meta.dirname, 'lucide-icon.ts')
        : null,
  };
}
