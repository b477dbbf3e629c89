/** Catches what a screen throws, and shows a message instead of a blank window. */
import { Component, type ReactNode } from 'react';
import { shellCopy } from '../copy/shell.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

interface State {
  readonly hasCrashed: boolean;
}

export class CrashBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { hasCrashed: false };

  static getDerivedStateFromError(): State {
    return { hasCrashed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasCrashed) return this.props.children;
    return (
      <main>
        <EmptyState tall message={shellCopy.crashedTitle} hint={shellCopy.crashedLead}>
          <Button variant="primary" onClick={() => location.reload()}>
            {shellCopy.reload}
          </Button>
        </EmptyState>
      </main>
    );
  }
}
