package platforms

// The shipped targets (platforms.json). A test holds these values against that
// file wherever it is at hand.

var ascend910B = &Platform{
	Name: "Ascend910B", Arch: "a2a3",
	CubeCores: 24, VectorCores: 48,
	memory: [NumSpaces]Memory{
		DDR:         {Core: "off chip", Note: "never planned"},
		Vec:         {Capacity: 188416, Physical: 196608, SoCAlignment: 128, Core: "AIV", Note: "184 KiB of 192 KiB: the top 8 KiB is kept out of use because tiles placed there are silently corrupted; reaching it must be an allocation error"},
		Mat:         {Capacity: 524288, Physical: 524288, SoCAlignment: 128, Core: "AIC"},
		Left:        {Capacity: 65536, Physical: 65536, SoCAlignment: 64, Core: "AIC"},
		Right:       {Capacity: 65536, Physical: 65536, SoCAlignment: 64, Core: "AIC"},
		Acc:         {Capacity: 131072, Physical: 131072, SoCAlignment: 128, Core: "AIC"},
		Bias:        {Capacity: 1024, Physical: 1024, SoCAlignment: 64, Core: "AIC"},
		ScalarLocal: {Core: "both", Note: "register file and C stack of scalar arrays; never planned"},
		LeftScale:   {Core: "AIC", Note: "not present; capacity query yields 0, which the capacity checks read as no limit"},
		RightScale:  {Core: "AIC", Note: "not present, as LeftScale"},
	},
	routes: [NumSpaces]uint16{
		DDR: 1<<Vec | 1<<Mat,
		Vec: 1 << DDR,
		Mat: 1<<Left | 1<<Right | 1<<Bias,
		Acc: 1<<Mat | 1<<DDR,
	},
	accRows:        accRows{int32: 32, other: 16},
	InnermostBytes: 512, GMAccessBytes: 512, L2LineBytes: 512,
	FractalAlignment: 16, MinTileDim: 16,
	AccToGM:   []string{"INT32", "FP32", "FP16", "BF16"},
	MatToBias: []CastPair{{"INT32", "INT32"}, {"FP32", "FP32"}, {"FP16", "FP32"}},
	NativeCasts: []CastPair{
		{"FP32", "FP16"}, {"FP32", "BF16"}, {"FP32", "INT16"}, {"FP32", "INT32"}, {"FP32", "INT64"},
		{"FP16", "FP32"}, {"FP16", "INT32"}, {"FP16", "INT16"}, {"FP16", "INT8"}, {"FP16", "UINT8"}, {"FP16", "INT4"},
		{"BF16", "FP32"}, {"BF16", "INT32"},
		{"INT16", "FP16"}, {"INT16", "FP32"},
		{"INT32", "FP32"}, {"INT32", "INT16"}, {"INT32", "INT64"}, {"INT32", "FP16"},
		{"INT64", "FP32"}, {"INT64", "INT32"},
		{"UINT8", "FP16"},
		{"INT8", "FP16"},
		{"INT4", "FP16"},
	},
	NoCodegen: []string{"tile.matmul_mx", "tile.matmul_mx_acc", "tile.matmul_mx_bias", "tile.tget_scale_addr"},
	Flags:     Flags{GMPipeBuffer: true, SplitLoadTpopWorkaround: true, RuntimeSubblockBridge: true, NoSplitDualAivDispatch: true, LowPrecisionMatScratch: true, BF16AtomicAdd: true},
}

var ascend950 = &Platform{
	Name: "Ascend950", Arch: "a5",
	CubeCores: 36, VectorCores: 72,
	memory: [NumSpaces]Memory{
		DDR:         {Core: "off chip", Note: "never planned"},
		Vec:         {Capacity: 245760, Physical: 253952, SoCAlignment: 128, Core: "AIV", Note: "240 KiB of 248 KiB, for the same reason as on Ascend910B"},
		Mat:         {Capacity: 524288, Physical: 524288, SoCAlignment: 128, Core: "AIC"},
		Left:        {Capacity: 65536, Physical: 65536, SoCAlignment: 64, Core: "AIC"},
		Right:       {Capacity: 65536, Physical: 65536, SoCAlignment: 64, Core: "AIC"},
		Acc:         {Capacity: 262144, Physical: 262144, SoCAlignment: 128, Core: "AIC"},
		Bias:        {Capacity: 4096, Physical: 4096, SoCAlignment: 64, Core: "AIC"},
		ScalarLocal: {Core: "both", Note: "never planned"},
		LeftScale:   {Capacity: 4096, Physical: 4096, SoCAlignment: 32, Core: "AIC"},
		RightScale:  {Capacity: 4096, Physical: 4096, SoCAlignment: 32, Core: "AIC"},
	},
	routes: [NumSpaces]uint16{
		DDR: 1<<Vec | 1<<Mat,
		Vec: 1<<Mat | 1<<DDR,
		Mat: 1<<Left | 1<<Right | 1<<Bias | 1<<LeftScale | 1<<RightScale,
		Acc: 1<<Vec | 1<<Mat | 1<<DDR,
	},
	accRows: accRows{int32: 16, other: 16},
	// The whole-op in-place ban of prelu is lifted: the output may take the
	// scratch buffer (planning_effects).
	aliasing:       []outputAlias{{"tile.prelu", []int{0, 1}}},
	InnermostBytes: 128, GMAccessBytes: 128, L2LineBytes: 512,
	FractalAlignment: 16, MinTileDim: 16,
	Incore4Bit: []string{"FP4"},
	AccToGM:    []string{"INT32", "FP32", "FP16", "BF16"},
	MatToBias:  []CastPair{{"INT32", "INT32"}, {"FP32", "FP32"}, {"FP16", "FP32"}, {"BF16", "FP32"}},
	NativeCasts: []CastPair{
		{"FP32", "FP16"}, {"FP32", "BF16"}, {"FP32", "INT16"}, {"FP32", "INT32"}, {"FP32", "INT64"}, {"FP32", "FP8E4M3FN"}, {"FP32", "FP8E5M2"}, {"FP32", "HF8"},
		{"FP16", "FP32"}, {"FP16", "INT32"}, {"FP16", "INT16"}, {"FP16", "INT8"}, {"FP16", "UINT8"}, {"FP16", "HF8"},
		{"BF16", "FP32"}, {"BF16", "INT32"}, {"BF16", "FP16"}, {"BF16", "FP4"},
		{"INT16", "FP16"}, {"INT16", "FP32"}, {"INT16", "UINT8"}, {"INT16", "UINT32"}, {"INT16", "INT32"},
		{"INT32", "FP32"}, {"INT32", "INT16"}, {"INT32", "INT64"}, {"INT32", "UINT16"}, {"INT32", "UINT8"},
		{"INT64", "FP32"}, {"INT64", "INT32"},
		{"UINT8", "FP16"}, {"UINT8", "UINT16"},
		{"INT8", "FP16"}, {"INT8", "INT16"}, {"INT8", "INT32"},
		{"UINT32", "UINT8"}, {"UINT32", "UINT16"}, {"UINT32", "INT16"},
		{"FP8E4M3FN", "FP32"},
		{"FP8E5M2", "FP32"},
		{"HF8", "FP32"},
		{"FP4", "BF16"},
	},
	Flags: Flags{VtoCFractalAdapt: true},
}
