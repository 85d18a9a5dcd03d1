" SPDX-License-Identifier: GPL-2.0-or-later
" tagrig's scenario files; see tagrig-rig(5).
autocmd BufNewFile,BufRead *.rig setfiletype tagrig
