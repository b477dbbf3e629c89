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
    transform: {
      filter: { id: /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/][\w-]+\.mjs$/ },
      handler: (text) => ({ code: drawingAlone(text), map: null }),
    },
  };
}

/** A drawing's module without the keys of its parts, which stand in no list here, and without what it reads and leaves. */
export const drawingAlone = (text: string): string =>
  text.replaceAll(/,\s*key: "\w+"/g, '').replace(/^__iconData\.node;$/m, '');
