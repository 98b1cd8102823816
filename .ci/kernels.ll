; What compiled kernels need of numba's runtime: memory of arrays that a kernel makes, with a count of references.
; numba writes the counting itself, inline, and expects this head before it (its core/runtime/nrtdynmod.py):
; the count, a destructor with its argument, the address of the data, and their size.
%head = type { i64, ptr, ptr, ptr, i64 }

declare ptr @malloc(i32)
declare void @free(ptr)

; one block holds the head and, on the next multiple of the alignment, the data
define internal ptr @block(i64 %size, i32 %align) {
  %length = trunc i64 %size to i32
  %wide = icmp ugt i32 %align, 16
  %step = select i1 %wide, i32 %align, i32 16
  %with_head = add i32 %length, 32
  %room = add i32 %with_head, %step
  %memory = call ptr @malloc(i32 %room)
  %failed = icmp eq ptr %memory, null
  br i1 %failed, label %none, label %some

some:
  %address = ptrtoint ptr %memory to i32
  %after = add i32 %address, 31
  %up = add i32 %after, %step
  %mask = sub i32 0, %step
  %aligned = and i32 %up, %mask
  %data = inttoptr i32 %aligned to ptr
  store %head { i64 1, ptr null, ptr null, ptr null, i64 0 }, ptr %memory
  %at_data = getelementptr %head, ptr %memory, i32 0, i32 3
  store ptr %data, ptr %at_data
  %at_size = getelementptr %head, ptr %memory, i32 0, i32 4
  store i64 %size, ptr %at_size
  ret ptr %memory

none:
  ret ptr null
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %made = call ptr @block(i64 %size, i32 %align)
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {
  %made = call ptr @block(i64 %size, i32 %align)
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc(i64 %size) {
  %made = call ptr @block(i64 %size, i32 16)
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc_safe(i64 %size) {
  %made = call ptr @block(i64 %size, i32 16)
  ret ptr %made
}

define void @NRT_MemInfo_call_dtor(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}

define ptr @NRT_Allocate(i64 %size) {
  %length = trunc i64 %size to i32
  %memory = call ptr @malloc(i32 %length)
  ret ptr %memory
}

define void @NRT_Free(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}

; lists are for texts of exceptions alone: without memory for one, the kernel raises, and plain Python writes the text
define ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr %destructor) {
  ret ptr null
}

define ptr @NRT_MemInfo_varsize_realloc(ptr %list, i64 %size) {
  ret ptr null
}

; kernels reshape nothing but a number to an array of one item; for anything else they raise
define i32 @numba_attempt_nocopy_reshape(i64 %n, ptr %shape, ptr %steps, i64 %new_n, ptr %new_shape, ptr %new_steps,
                                         i64 %item_bytes, i32 %columns_first) {
  %number = icmp eq i64 %n, 0
  %row = icmp eq i64 %new_n, 1
  %simple = and i1 %number, %row
  br i1 %simple, label %one, label %other

one:
  store i64 %item_bytes, ptr %new_steps
  ret i32 1

other:
  ret i32 0
}

; no kernel runs in a Python of its own
define void @PyErr_SetString(ptr %kind, ptr %text) {
  ret void
}

; gives back one reference, of an array that was returned
define void @errorest_release(ptr %memory) {
  %count = load i64, ptr %memory
  %left = sub i64 %count, 1
  store i64 %left, ptr %memory
  %last = icmp eq i64 %left, 0
  br i1 %last, label %free_it, label %done

free_it:
  call void @free(ptr %memory)
  br label %done

done:
  ret void
}
