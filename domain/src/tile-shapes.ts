/** The print of a room's code: each of its characters is a shape. */

/**
 * Sixteen cut-paper shapes on a 24 x 24 field: path data by upper-case hexadecimal character; holes are cut with the
 * even-odd rule.
 */
export const tileShapes: Readonly<Record<string, string>> = {
  // ring
  '0': 'M12 1.5a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21zm0 7a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  // pillar
  '1': 'M8 0h8v24H8z',
  // quarter disc, centre top left
  '2': 'M0 0h24A24 24 0 0 1 0 24z',
  // two half discs on the left edge
  '3': 'M0 0h12a6 6 0 0 1 0 12 6 6 0 0 1 0 12H0z',
  // quarter disc, centre bottom right
  '4': 'M24 24H0A24 24 0 0 1 24 0z',
  // ball above a bowl
  '5': 'M0 12h24a12 12 0 0 1-24 0zM12 1a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z',
  // target
  '6': 'M12 0a12 12 0 1 1 0 24 12 12 0 0 1 0-24zm0 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  // half square
  '7': 'M0 0h24L0 24z',
  // two balls
  '8': 'M12 0a6 6 0 1 1 0 12 6 6 0 0 1 0-12zm0 12a6 6 0 1 1 0 12 6 6 0 0 1 0-12z',
  // sunset
  '9': 'M0 12a12 12 0 0 1 24 0zM0 16h24v3H0zm0 5h24v3H0z',
  // tent
  A: 'M12 0l12 24H0z',
  // four balls
  B: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1zm12 0a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM6 13a5 5 0 1 1 0 10 5 5 0 0 1 0-10zm12 0a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
  // signal
  C: 'M24 0v6A18 18 0 0 0 6 24H0A24 24 0 0 1 24 0zm0 11v6a7 7 0 0 0-7 7h-6a13 13 0 0 1 13-13z',
  // half disc on the left edge
  D: 'M0 0h12a12 12 0 0 1 0 24H0z',
  // three bars
  E: 'M0 2h24v4.5H0zm0 7.75h24v4.5H0zm0 7.75h24V22H0z',
  // stairs
  F: 'M0 0h24v8h-8v8H8v8H0z',
};
