/** Lets each reader read mutated files in a thread of its own: none may throw, end its thread, or hold it up. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ReaderName, readerCosts } from './readers.ts';

export type ReaderNews =
  | { type: 'begun'; reader: ReaderName; number: number; bytes: Uint8Array }
  | { type: 'read'; cpuMs: number; fault: string | null };

export interface ReaderFault {
  reader: ReaderName;
  /** With the seed it makes the file again. */
  number: number;
  fault: string;
  bytes: Uint8Array;
}

export interface ReaderReport {
  read: Record<ReaderName, number>;
  /** Processor time of the file that took the most, in milliseconds. */
  longestMs: Record<ReaderName, number>;
  faults: ReaderFault[];
}

export const readerNames = Object.keys(readerCosts) as ReaderName[];

/** Processor time of one file in the thread that serves people. */
const mostCpuMs = 2000;
/** Of a thread that says nothing: it hangs, or the machine does. */
const silentMs = 120_000;
const memory = { maxOldGenerationSizeMb: 512 };

export interface Part {
  reader: ReaderName;
  /** Numbers of files. */
  from: number;
  to: number;
}

/** `cases` files for the quickest reader, fewer for those that take longer. */
export async function fuzzReaders({ cases, seed }: { cases: number; seed: number }): Promise<ReaderReport> {
  const zeros = () => Object.fromEntries(readerNames.map((name) => [name, 0])) as Record<ReaderName, number>;
  const report: ReaderReport = { read: zeros(), longestMs: zeros(), faults: [] };
  let parts = readerNames.map((reader): Part => ({ reader, from: 0, to: Math.ceil(cases / readerCosts[reader]) }));
  // After a file that ended its thread another one goes on.
  while (parts.length > 0) parts = await readInThread(report, seed, parts);
  return report;
}

/** Answers what is left to read. */
async function readInThread(report: ReaderReport, seed: number, parts: Part[]): Promise<Part[]> {
  const program = join(import.meta.dirname, 'reader-thread.ts');
  const thread = new Worker(program, { workerData: { seed, parts }, resourceLimits: memory });
  let open: Extract<ReaderNews, { type: 'begun' }> | null = null;
  const faulty = (fault: string) => {
    if (open === null) throw new Error(`The thread ${fault} and read nothing.`);
    const { reader, number, bytes } = open;
    report.faults.push({ reader, number, bytes, fault });
  };
  const silence = setTimeout(() => void thread.terminate(), silentMs);
  let ended: unknown = null;
  thread.on('error', (error) => (ended = error));
  thread.on('message', (news: ReaderNews) => {
    silence.refresh();
    if (news.type === 'begun') {
      open = news;
      return;
    }
    if (news.fault !== null) faulty(news.fault);
    if (news.cpuMs > mostCpuMs) faulty(`took ${String(Math.round(news.cpuMs))} ms`);
    if (open === null) return;
    report.read[open.reader] += 1;
    report.longestMs[open.reader] = Math.max(report.longestMs[open.reader], news.cpuMs);
  });
  const code = await new Promise<number>((resolve) => void thread.once('exit', resolve));
  clearTimeout(silence);
  if (code === 0) return [];
  faulty(ended instanceof Error ? `ended: ${ended.message}` : 'gave no answer');
  const { reader, number } = open as unknown as Extract<ReaderNews, { type: 'begun' }>;
  const at = parts.findIndex((part) => part.reader === reader);
  return parts.slice(at).map((part) => (part.reader === reader ? { ...part, from: number + 1 } : part));
}
