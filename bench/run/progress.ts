/**
 * Tells of steps as they are done: on a terminal in one line that is written over, elsewhere one line for each part.
 */
export const createProgress = (stream: NodeJS.WriteStream) => {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  return {
    step: (text: string) => {
      if (stream.isTTY) stream.write(`\r\u001b[K${seconds()}  ${text}`);
    },
    part: (text: string) => void stream.write(`${stream.isTTY ? '\r\u001b[K' : ''}${seconds()}  ${text}\n`),
  };
};
