/**
 * Leaves out of React what no page of ours uses, a fifth of it: an answer that is the same on all our pages takes the
 * place of each question (is this the markup of a server? is this element a view transition?), and the bundler drops what
 * only the other answer reaches. The build refuses code that uses what is left out.
 */
import MagicString from 'magic-string';
import { parseSync, visitorKeys } from 'oxc-parser';
import type { Plugin } from 'vite';

/** The version for which the lists below were read. In another one each name may mean something else. */
const version = '19.3.1';

/**
 * `fiber.tag` of what no page has. In the order of the numbers: consumers by component, profilers, markup of a server,
 * lists of suspense, scopes, hidden parts of older versions, caches, traces, elements that React moves to the head, the
 * elements html, head and body, unfinished functions, view transitions and activities.
 */
const unusedTags: ReadonlySet<unknown> = new Set([9, 12, 18, 19, 21, 23, 24, 25, 26, 27, 28, 30, 31]);

/** The same, as `type` of an element. */
const unusedTypes: ReadonlySet<string> = new Set([
  'REACT_ACTIVITY_TYPE',
  'REACT_CONSUMER_TYPE',
  'REACT_LEGACY_HIDDEN_TYPE',
  'REACT_PROFILER_TYPE',
  'REACT_SUSPENSE_LIST_TYPE',
  'REACT_VIEW_TRANSITION_TYPE',
]);

const unusedHooks = [
  ...['useActionState', 'useCacheRefresh', 'useDebugValue', 'useFormState', 'useHostTransitionStatus'],
  ...['useMemoCache', 'useOptimistic', 'useTransition'],
];

/** Variables that only unused code sets. */
const variables: Readonly<Record<string, string>> = {
  isHydrating: 'false',
  hydrationParentFiber: 'null',
  shouldStartViewTransition: 'false',
  // The browser's sign of waiting during a transition that is asynchronous.
  defaultOnDefaultTransitionIndicator: 'noop$1',
};

const fields: Readonly<Record<string, string>> = { dehydrated: 'null', isDehydrated: 'false' };

/** What functions return to our pages; none of them does anything besides. */
const answers: Readonly<Record<string, string>> = {
  // The markup of a server, and events that wait for it.
  popHydrationState: 'false',
  upgradeHydrationErrorsToRecoverable: 'null',
  updateDehydratedSuspenseComponent: 'null',
  throwOnHydrationMismatch: 'void 0',
  resetHydrationState: 'void 0',
  prepareToHydrateHostInstance: 'void 0',
  queueIfContinuousEvent: 'false',
  retryIfBlockedOn: 'void 0',
  // Elements that React moves to the head, and pictures and sheets for which a transition waits.
  isHostHoistableType: 'false',
  preloadInstanceAndSuspendIfNeeded: 'void 0',
  accumulateSuspenseyCommitOnFiber: 'void 0',
  waitForCommitToBeReady: 'null',
  // View transitions.
  trackEnterViewTransitions: 'void 0',
  commitExitViewTransitions: 'void 0',
  commitNestedViewTransitions: 'void 0',
  // A `ref` of a fragment.
  isFragmentInstanceParent: 'false',
  commitNewChildToFragmentInstances: 'void 0',
  commitFragmentInstanceInsertionEffects: 'void 0',
  commitFragmentInstanceDeletionEffects: 'void 0',
  // Custom elements, forms whose action is a function, and three kinds of events.
  isCustomElement: 'false',
  extractEvents$1: 'void 0',
  constructSelectEvent: 'void 0',
  getNativeBeforeInputChars: 'null',
  getFallbackBeforeInputChars: 'null',
  // Names of components, for reports that nobody reads.
  getStackByFiberInDevAndProd: "''",
};

/** Statements at the top that only unused code needs. */
const unusedStatements =
  /^(?:FragmentInstance\.prototype\.|ReactDOMSharedInternals\.findDOMNode =|\w+\.prototype\.unstable_scheduleHydration =)/;

const unusedMarkup =
  /<(?:body|head|html|link|meta|script|style|title|[a-z]+-[\w-]+|Fragment ref)\b|\bon(?:BeforeInput|Select)=/;
const unusedImports =
  /import[^}]*\b(?:Activity|Profiler|SuspenseList|ViewTransition|hydrateRoot|preconnect|prefetchDNS|preinit\w*|preload\w*|requestFormReset|useActionState|useDebugValue|useFormStatus|useOptimistic|useTransition)\b[^}]*\} from 'react/;

/** Refuses sources that use what is left out. */
export function refuseUnused(id: string, text: string): void {
  const [found] = (id.endsWith('.tsx') && unusedMarkup.exec(text)) || (unusedImports.exec(text) ?? []);
  if (found !== undefined) throw new Error(`${id}: web/bundling/react-in-use.ts leaves this out of React: ${found}`);
}

/** Also for tests of screens, which run with React as it ships. */
export function reactInUse(): Plugin {
  return {
    name: 'react-in-use',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: [/[\\/]web[\\/]src[\\/].*\.tsx?$/, /react-dom-client\.production\.js$/] },
      handler(text, id) {
        if (id.endsWith('.js')) return inUse(text);
        refuseUnused(id, text);
        return null;
      },
    },
  };
}

/** A node of the syntax, with what is read of it here. */
interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly operator?: string;
  readonly computed?: boolean;
  readonly left?: Syntax;
  readonly right?: Syntax;
  readonly property?: Syntax;
  readonly callee?: Syntax;
  readonly id?: Syntax;
  readonly key?: Syntax;
  readonly test?: Syntax | null;
  readonly discriminant?: Syntax;
  readonly cases?: readonly Syntax[];
  readonly consequent?: readonly Syntax[];
  readonly body?: readonly Syntax[];
  readonly properties?: readonly Syntax[];
}

/** @param text React's code for browsers, as it is published. */
export function inUse(text: string): string {
  const [, found] = /^exports\.version = "(.+)"/m.exec(text) ?? [];
  if (found !== version) throw new Error(`Read the lists of react-in-use.ts again, for React ${String(found)}`);
  const out = new MagicString(text);
  /** Each name of the lists above must be there, or React has changed and the lists with it. */
  const missing = new Set([...unusedTypes, ...unusedHooks, ...Object.keys({ ...variables, ...fields, ...answers })]);

  let body: Syntax | null = null;
  const visit = (node: Syntax, parent: Syntax | null, at: string): void => {
    const outer = body;
    if (at === 'body' && /Function/.test(parent?.type ?? '')) body = node;
    visitInside(node, parent, at);
    body = outer;
  };
  const visitInside = (node: Syntax, parent: Syntax | null, at: string): void => {
    if (node.type === 'SwitchStatement') visitCases(node);
    else if (node.type === 'ObjectExpression') visitProperties(node, parent);
    else if (node.type === 'ExpressionStatement' && unusedStatements.test(text.slice(node.start, node.start + 80)))
      out.remove(node.start, node.end);
    else {
      const [name, answer] = answerFor(node, parent, at);
      missing.delete(name);
      if (answer === undefined) visitAll(node);
      else out.overwrite(node.start, node.end, answer);
    }
  };
  const visitAll = (node: Syntax): void => {
    for (const [at, child] of childrenOf(node)) visit(child, node, at);
  };

  /** An unused case goes with all it does; where the case before runs into it, only its name goes. */
  const visitCases = ({ discriminant, cases = [] }: Syntax): void => {
    let isReached = false;
    for (const each of cases) {
      const { start, end, test, consequent = [] } = each;
      const isUnused = unusedTypes.has(test?.name ?? '') || (isTag(discriminant) && unusedTags.has(test?.value));
      missing.delete(isUnused ? (test?.name ?? '') : '');
      if (isUnused) out.remove(start, isReached ? (consequent[0]?.start ?? end) : end);
      if (isUnused && !isReached) {
        // Of the whole function, wherever it is said.
        const names = namesDeclaredIn(each);
        if (names.length > 0 && body !== null) out.appendLeft(body.start + 1, `var ${names.join(', ')};`);
        continue;
      }
      isReached = !endsFlow(consequent.at(-1));
      for (const statement of consequent) visit(statement, each, 'consequent');
    }
  };

  const visitProperties = ({ properties = [], end }: Syntax, parent: Syntax | null): void => {
    const isOrders = text.slice(parent?.start, parent?.end).startsWith('ReactDOMSharedInternals.d =');
    properties.forEach((property, index) => {
      const name = property.key?.name ?? '';
      const isUnused = isOrders ? name !== 'f' : unusedHooks.includes(name);
      if (!isUnused) return visitAll(property);
      missing.delete(name);
      out.remove(property.start, properties[index + 1]?.start ?? end - 1);
    });
  };

  visit(parseSync('react.js', text).program as unknown as Syntax, null, '');
  if (missing.size > 0) throw new Error(`React has changed: it has no ${[...missing].join(', no ')}`);
  return out.toString();
}

type Answer = readonly [name: string, answer?: string | undefined];

/** The name by which the lists know a node, and what takes its place; a name without an answer changes nothing. */
function answerFor(node: Syntax, parent: Syntax | null, at: string): Answer {
  const isWritten = at === 'left' && parent?.type === 'AssignmentExpression';
  switch (node.type) {
    case 'CallExpression':
      return inList(answers, node.callee?.name);
    case 'MemberExpression':
      return isWritten || node.computed === true ? [''] : inList(fields, node.property?.name);
    case 'Identifier':
      return isWritten || !isRead(parent, at) ? [''] : inList(variables, node.name);
    case 'BinaryExpression':
      return ['', answerOfTag(node)];
    default:
      return [''];
  }
}

function inList(list: Readonly<Record<string, string>>, name = ''): Answer {
  return Object.hasOwn(list, name) ? [name, list[name]] : [''];
}

/** Of `fiber.tag === 30` and the like. */
function answerOfTag({ left, right, operator = '' }: Syntax): string | undefined {
  const isUnused = [left, right].some((side) => side?.type === 'Literal' && unusedTags.has(side.value));
  if (!isUnused || !(isTag(left) || isTag(right)) || !/^[!=]==$/.test(operator)) return undefined;
  return String(operator === '!==');
}

/** Whether an identifier there is a variable whose value is read, and not the name of something. */
function isRead(parent: Syntax | null, at: string): boolean {
  if (at === 'id' || at === 'params' || at === 'label') return false;
  return !(at === 'property' && !parent?.computed) && !(at === 'key' && !parent?.computed);
}

/** `fiber.tag`, and variables that hold one. */
function isTag(node: Syntax | undefined): boolean {
  return node?.property?.name === 'tag' || /^(?:tag|\w+Tag)(?:\$|$)/.test(node?.name ?? '');
}

/** The variables that `var` declares in a node. */
function namesDeclaredIn(node: Syntax): string[] {
  const own = node.type === 'VariableDeclarator' ? [node.id?.name ?? ''] : [];
  return [...own, ...[...childrenOf(node)].flatMap(([, child]) => namesDeclaredIn(child))];
}

function endsFlow(statement: Syntax | undefined): boolean {
  if (statement?.type === 'BlockStatement') return endsFlow(statement.body?.at(-1));
  return /^(?:Break|Continue|Return|Throw)Statement$/.test(statement?.type ?? '');
}

function* childrenOf(node: Syntax): Iterable<[at: string, child: Syntax]> {
  const fieldsOf = node as unknown as Readonly<Record<string, Syntax | null | readonly (Syntax | null)[]>>;
  for (const at of visitorKeys[node.type] ?? []) {
    for (const child of [fieldsOf[at] ?? []].flat()) if (child) yield [at, child];
  }
}
