import { finalAnswer } from './final-answer.js';

describe('the final answer of a reply', () => {
  it.each<[reply: string, expected: string]>([
    ['Good. [[4]]', 'Good. [[4]]'],
    ['<think>perhaps [[2]]</think>\nGood. [[4]]', 'Good. [[4]]'],
    ['\n <THINK>perhaps [[2]]</Think>[[4]]', '[[4]]'],
    ['<thinking>maybe [[1]]</thinking> I cannot rate this.', 'I cannot rate this.'],
    ['<thought>maybe [[1]]</thought>[[3]]', '[[3]]'],
    ['<seed:think>maybe [[1]]</seed:think>[[3]]', '[[3]]'],
    ['[THINK]could be [[3]][/THINK]\nI refuse.', 'I refuse.'],
    ['◁think▷could be [[3]]◁/think▷[[2]]', '[[2]]'],
    ['<|START_THINKING|>[[1]]<|END_THINKING|>[[5]]', '[[5]]'],
    ['<think>If short [[1]], if long [[5]]. Let me count the', ''],
    ['<think>one</think><think>two [[2]]', ''],
    ['<think>one</think> <think>two [[2]]</think> [[3]]', '[[3]]'],
    ['<think>a <think>b</think> still [[2]]</think> [[3]]', '[[3]]'],
    ['<think>a [THINK] b</think> [[3]]', '[[3]]'],
    ['the prompt has opened them [[1]]</think>[[3]]', '[[3]]'],
    ['Sure. <think>[[1]]</think>I cannot rate it.', 'Sure. I cannot rate it.'],
    [
      '[[4]] The output begins with <think> and never ends it.',
      '[[4]] The output begins with <think> and never ends it.',
    ],
    ['<thinker>[[4]]</thinker>', '<thinker>[[4]]</thinker>'],
    ['<think></think>', ''],
    ['评分:<think>也许 [[1]]</think>好 [[4]]', '评分:好 [[4]]'],
    ['', ''],
  ])('of %j is %j', (reply, expected) => expect(finalAnswer(reply)).toBe(expected));

  it('is found in linear time, and not among too many markers', () => {
    const reply = (count: number) => `${'<think></think> '.repeat(count)}[[1]]`;
    expect(finalAnswer(reply(5_000))).toBe('[[1]]');
    expect(finalAnswer(reply(5_001))).toBe('');
    const spaces = ' '.repeat(1_000_000);
    expect(finalAnswer(`${spaces}x${'<think>'.repeat(10_000)}`)).toMatch(/^x<think>/);
    expect(finalAnswer('<think>'.repeat(5_000) + spaces + '</think>'.repeat(5_000))).toBe('');
  });
});
