@echo off
node "%~dp0server.js" %*
