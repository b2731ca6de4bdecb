import { scheduleProblem, timezoneProblem } from "./schedule";

// What croniter 7.0.0, with which the official agent server reads schedules, takes and refuses.

test.each([
  ["a crontab's five fields", "0 9 * * 1-5"],
  ["white space around and between", " 0  9 * * * "],
  ["a sixth for the seconds, which comes last", "0 9 * * * 30"],
  ["names, in any case", "0 9 * jan,FEB Mon-fri"],
  ["a word", "@daily"],
  ["a range that wraps", "0 22-4 * nov-feb fri-mon"],
  ["a range with a step", "10-50/20 9-17/4 * * *"],
  ["a step that is longer than the field", "*/70 * * * *"],
  ["the last day", "0 9 L * *"],
  ["the last Friday", "0 9 * * L5"],
  ["the second Monday", "0 9 * * mon#2"],
  ["no day of its own", "0 9 ? * 1"],
  ["a day that only some of its months have", "0 9 31 2-4 *"],
  ["a day that few years have", "0 9 29 2 *"],
  ["a field for the year, which only the server judges", "0 9 1 1 * 0 2030"],
])("takes %s: %j", (_why, schedule) => {
  expect(scheduleProblem(schedule)).toBeUndefined();
});

test.each([
  ["too few fields", "0 9 * *"],
  ["no field at all", ""],
  ["words", "every day"],
  ["an hour that no day has", "0 25 * * *"],
  ["a minute that no hour has", "60 9 * * *"],
  ["a month that no year has", "0 9 * 13 *"],
  ["seconds that no minute has", "0 9 * * * 60"],
  ["a name that no day has", "0 9 * * foo"],
  ["a step of nothing", "*/0 9 * * *"],
  ["a range without an end", "0 9- * * *"],
  ["a date, which the library reads as one run", "2030-01-31T12:00:00"],
])("refuses %s: %j", (_why, schedule) => {
  expect(scheduleProblem(schedule)).toMatch(/^is not a cron schedule \(.+\): give minute, hour, /);
});

test.each(["0 0 31 2 *", "0 0 30-31 2 *", "0 9 31 4,6 * 30"])("refuses what never comes: %j", (schedule) => {
  expect(scheduleProblem(schedule)).toMatch(/^never comes: /);
});

test.each([
  ["Europe/Berlin", undefined],
  ["UTC", undefined],
  ["US/Pacific", undefined],
  ["Etc/GMT+1", undefined],
  ["europe/berlin", 'is not an IANA time zone, whose names mind upper case: give "Europe/Berlin"'],
  ["utc", 'is not an IANA time zone, whose names mind upper case: give "UTC"'],
  ["us/pacific", 'is not an IANA time zone: give one like "Europe/Berlin"'],
  ["+01:00", 'is not an IANA time zone: give one like "Europe/Berlin"'],
  ["Mars", 'is not an IANA time zone: give one like "Europe/Berlin"'],
  ["", 'is not an IANA time zone: give one like "Europe/Berlin"'],
])("the timezone %j: %j", (name, problem) => {
  expect(timezoneProblem(name)).toBe(problem);
});
