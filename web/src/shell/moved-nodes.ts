/**
 * Extensions put boxes around pictures and fields of a page. React then finds them in another place than where it left
 * them, and the whole page breaks at its next change: facebook/react#11538. What was moved is found in its box instead.
 */

/** The part of `parent` that holds `node`, or null where it holds it no longer. */
function holderIn(parent: Node, node: Node | null): Node | null {
  for (let at = node; at !== null; at = at.parentNode) if (at.parentNode === parent) return at;
  return null;
}

/** For all of this page; called once, before it is drawn. */
export function tolerateMovedNodes(): void {
  const { prototype } = Node;
  const { insertBefore, removeChild } = prototype;
  prototype.removeChild = function remove<T extends Node>(this: Node, child: T): T {
    const parent = child.parentNode;
    return parent === null ? child : (removeChild.call(parent, child) as T);
  };
  prototype.insertBefore = function insert<T extends Node>(this: Node, added: T, before: Node | null): T {
    return insertBefore.call(this, added, holderIn(this, before)) as T;
  };
}
