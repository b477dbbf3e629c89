/** Saves data as a file. The page does not learn how the download ends. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: some browsers begin to read only after the click is over.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
