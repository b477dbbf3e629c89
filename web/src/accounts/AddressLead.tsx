/** A sentence with an e-mail address in bold in its middle. */

/** `words` are the parts of the sentence before and after the address. */
export function AddressLead({ words, email }: { words: readonly [string, string]; email: string }) {
  return (
    <p className="lead">
      {words[0]}
      <strong>{email}</strong>
      {words[1]}
    </p>
  );
}
