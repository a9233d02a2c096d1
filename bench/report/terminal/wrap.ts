/** A sentence in lines of at most `width` characters, broken between words. */
export const wrap = (text: string, width: number): string =>
  text.split(' ').reduce((lines, word) => {
    const last = lines.slice(lines.lastIndexOf('\n') + 1);
    const fits = last.length + 1 + word.length <= width;
    return lines === '' ? word : `${lines}${fits ? ' ' : '\n'}${word}`;
  }, '');
