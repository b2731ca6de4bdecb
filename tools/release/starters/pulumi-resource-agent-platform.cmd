@echo off
where node >nul 2>nul
if errorlevel 1 (
  echo The plugin of agent-platform runs on Node, and there is no node on the PATH. Install Node 20 or newer ^(https://nodejs.org^). 1>&2
  exit /b 1
)
node "%~dp0start.js" %*
