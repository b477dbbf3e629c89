import { useLayoutEffect, useRef, useState } from 'react';

type Actions = Readonly<Record<string, (...given: never[]) => unknown>>;

/**
 * The same functions for as long as the component is there, each of which calls what was given for it last. For rows
 * under `memo`, which are drawn again with each new function.
 */
export function useSteady<Given extends Actions>(actions: Given): Given {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const [steady] = useState(() =>
    Object.fromEntries(
      Object.keys(actions).map((name) => [name, (...given: never[]) => latest.current[name]?.(...given)]),
    ),
  );
  return steady as Given;
}
